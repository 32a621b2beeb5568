"""What pages send when somebody presses a button."""

from typing import Annotated

from litestar.enums import RequestEncodingType
from litestar.params import Body

Form = Annotated[dict[str, str | list[str]], Body(media_type=RequestEncodingType.URL_ENCODED)]
"""A form's fields, by name; of a name that was sent more than once, all values."""
