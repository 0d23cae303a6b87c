"""What every title needs and none should write again."""
