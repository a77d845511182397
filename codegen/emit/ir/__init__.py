"""The IR: the tables of its operators."""
