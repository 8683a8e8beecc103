// Collects what a ready cluster has and serves, from time to time.
import type { Reconciler, Result } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { collectFacts, sameFacts } from "./facts.js";
import type { Session, Sessions } from "./session.js";

/** What collecting needs. */
export interface CollectOptions {
  readonly deps: Dependencies;
  readonly sessions: Sessions;
  /** Milliseconds between two collections. */
  readonly everyMs: number;
  /** Called when something is different. */
  readonly onChange: (name: string) => void;
}

/** A collection that takes long is made more rarely: it may take a twentieth of a big member's time, no more. */
const PAUSE_FACTOR = 20;

/** The key is the name of the Cluster; rests while it is not ready. */
export function collectReconciler({ deps, sessions, everyMs, onChange }: CollectOptions): Reconciler {
  return async function collect(name): Promise<Result> {
    const session = sessions.get(name);
    const member = deps.members.get(name);
    if (!session || !member?.ready) return {};

    const started = performance.now();
    const facts = await collectFacts(member, session.facts).catch((error: unknown) => {
      // It ceased to answer while it was asked: who looks at it will say so.
      if (deps.members.get(name) !== member || !member.ready) return undefined;
      noteAsked(session, name);
      throw error;
    });
    if (!facts || sessions.get(name) !== session) return {};
    const same = sameFacts(session.facts, facts);
    session.facts = facts;
    if (!same) onChange(name);
    noteAsked(session, name);
    return { requeueAfterMs: Math.max(everyMs, PAUSE_FACTOR * (performance.now() - started)) };
  };

  function noteAsked(session: Session, name: string): void {
    if (!session.asked) onChange(name);
    session.asked = true;
  }
}
