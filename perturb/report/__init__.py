"""A verdict as one web page that needs nothing but itself. Private."""
