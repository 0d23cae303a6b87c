"""The Italian rule texts of the four titles, and the search over them."""
