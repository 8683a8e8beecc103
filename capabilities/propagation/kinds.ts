// Has the host come to serve other kinds, so that policies work that were written before them?
import type { KubeObject } from "../../crds/object.js";
import { Debouncer } from "../../lib/engine/debounce.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { messageOf } from "../../lib/kube/errors.js";
import type { StoreChange } from "../../lib/kube/store.js";

/** How soon the host is asked for its kinds again when it did not answer, milliseconds. */
const RETRY_MS = 2_000;

/** Reads the host's kinds anew when a CRD has changed what is served; `moved` is called each time. */
export function kindsFollower({ host, log }: Pick<Dependencies, "host" | "log">, moved: () => void) {
  const readSoon = new Debouncer(
    () => {
      host.discovery
        .refresh()
        .then(() => host.templates.dropUnserved())
        .then(moved)
        .catch((error: unknown) => {
          log.warn("cannot read the host's kinds", { error: messageOf(error) });
          setTimeout(() => readSoon.poke(""), RETRY_MS).unref();
        });
    },
    { stillMs: 200, maxMs: 1_000 },
  );

  return {
    onCrd({ before, after }: StoreChange): void {
      if (served(before) !== served(after)) readSoon.poke("");
    },
    stop: () => readSoon.cancelAll(),
  };
}

function served(crd: KubeObject | undefined): string {
  return JSON.stringify(crd?.["status"]) + crd?.metadata.generation;
}
