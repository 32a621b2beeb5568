"""Published files of trees and samples in, published files out."""
