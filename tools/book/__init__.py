"""Opening books made by our own search: `tengen book`."""
