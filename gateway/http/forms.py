"""What pages send when somebody presses a button."""

from typing import Annotated, Any

from litestar.enums import RequestEncodingType
from litestar.params import Body

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
"""A form's fields, by name."""
