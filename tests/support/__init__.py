"""What tests of several modules share: fakes, scripted models and stages."""
