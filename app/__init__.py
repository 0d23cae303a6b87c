"""The program: command line and screens, where rules meet their texts."""

__version__ = "0.5.0"
