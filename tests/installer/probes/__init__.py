"""Every probe of the doctor: a clean workspace, and each way in which one is not."""
