"""What the person is doing, without a screen: state, updates, judging, views."""
