"""The protocol: the lean stdio loop, the SDK adapter, the gateway and the lifetime watchdog."""
