"""From plain values to strips: inert text, cells, styles, themes."""
