"""How walks through world trees and questions about abilities are scored, compared and drawn."""
