// What happens to work in progress when a person presses Ctrl-C?

/** Aborted by the first SIGINT or SIGTERM. From then on the process ends only when its work says so, or by a second one. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
