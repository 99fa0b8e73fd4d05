"""Imports every module of the client, which has to take less than three seconds of the processor."""

import importlib
import pkgutil
import time

import gatehouse_client

began = time.process_time()
names = [name for _, name, _ in pkgutil.walk_packages(gatehouse_client.__path__, "gatehouse_client.")]
for name in names:
    importlib.import_module(name)
seconds = time.process_time() - began
if seconds > 3:
    raise SystemExit(f"{seconds:.1f} s to import {len(names)} modules")
print(f"{len(names)} modules in {seconds:.1f} s")
