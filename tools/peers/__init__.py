"""Other programs that Tengen is measured against: `tengen bench --peers`."""
