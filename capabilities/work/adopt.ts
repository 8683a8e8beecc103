// Takes over an object that is in the member already, where its Work may; keeps it first as it was.
import type { KubeObject } from "../../crds/object.js";
import type { Work } from "../../crds/work.js";
import { APPLIED_FAILED } from "../../lib/domain/applied.js";
import { adoptPatch } from "../../lib/domain/adopt.js";
import { WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { ALREADY_EXISTS } from "../../lib/domain/presence.js";
import { TerminalError } from "../../lib/engine/controller.js";
import type { Dependencies } from "../../lib/engine/dependencies.js";
import { isConflict, messageOf } from "../../lib/kube/errors.js";
import type { Collection } from "../../lib/kube/collection.js";
import { WORKS_BY_ID } from "../../lib/kube/host.js";
import { guarded, onObjectAsItIs, OvertakenError } from "./objects.js";
import { planAdoption } from "./plan.js";
import { withoutRetained } from "./replicas.js";
import type { ApplyRequest, Send, Sent } from "./send.js";
import type { Snapshots } from "./snapshots.js";
import { titleOf } from "../../lib/domain/title.js";

/** An object that is there and that we may not touch; asking again at once changes nothing. */
export class RefusedError extends TerminalError {}

/** Takes over what is there. `live` was read just now; `manifest` carries our marks. */
export interface Adopter {
  /** @throws RefusedError where the Work may not; Error with the host's words when the object could not be kept as it was */
  adopt(request: ApplyRequest, objects: Collection, manifest: KubeObject, live: KubeObject): Promise<Sent | undefined>;
  /** Why an object that is there stays as it is. */
  refusal(request: ApplyRequest, manifest: KubeObject, live: KubeObject): RefusedError;
}

/** Nothing is taken over that was not kept as it was: its owners could not be given back what is taken from them. */
export function adopter({ host }: Pick<Dependencies, "host">, snapshots: Snapshots, send: Send): Adopter {
  async function take(
    request: ApplyRequest,
    objects: Collection,
    manifest: KubeObject,
    live: KubeObject,
  ): Promise<Sent> {
    await keep(request, live);
    const wanted = withoutRetained(manifest);
    const patch = adoptPatch(live, wanted);
    if (patch) await guarded(() => objects.client.jsonPatch(live.metadata, patch));
    const { uid, resourceVersion } = live.metadata;
    // As it was kept; after the patch it bears our fields, and what was kept stands.
    const version = patch ? {} : { resourceVersion };
    const target = { ...wanted, metadata: { ...wanted.metadata, uid, ...version } };
    try {
      return await send(request, objects, target, true);
    } catch (error) {
      throw isConflict(error) ? new OvertakenError(error) : error;
    }
  }

  async function keep(request: ApplyRequest, live: KubeObject): Promise<void> {
    try {
      await snapshots.keep(request.work, live);
    } catch (error) {
      const why = `it is not taken over, since the host could not keep it as it was: ${messageOf(error)}`;
      throw new Error(`${placeOf(request, live)}: ${why}`, { cause: error });
    }
  }

  /** Another Work of ours that holds the object; a foreign id is Karmada's or an old host's, and Overwrite takes it. */
  function holderOf(live: KubeObject, work: Work): string | undefined {
    const id = live.metadata.labels?.[WORK_ID_LABEL];
    const [holder] = id ? host.works.store.byIndex(WORKS_BY_ID, id) : [];
    if (!holder || holder.metadata.uid === work.metadata.uid) return undefined;
    return `${holder.metadata.namespace}/${holder.metadata.name}`;
  }

  function planFor({ work }: ApplyRequest, manifest: KubeObject, live: KubeObject) {
    return planAdoption(work, manifest, live, holderOf(live, work));
  }

  function refusal(request: ApplyRequest, manifest: KubeObject, live: KubeObject): RefusedError {
    const plan = planFor(request, manifest, live);
    const why = plan.action === "refuse" ? plan.why : "already exists";
    // What another Work of ours holds is not foreign: it goes as that one says.
    const reason = holderOf(live, request.work) ? APPLIED_FAILED : ALREADY_EXISTS;
    return new RefusedError(reason, `${placeOf(request, manifest)}: ${why}`);
  }

  return {
    refusal,
    adopt(request, objects, manifest, live) {
      const read = () => objects.client.find(manifest.metadata, request.signal);
      return onObjectAsItIs(
        read,
        async current => {
          if (!current) return undefined;
          if (planFor(request, manifest, current).action === "refuse") throw refusal(request, manifest, current);
          return take(request, objects, manifest, current);
        },
        live,
      );
    },
  };
}

function placeOf({ member }: ApplyRequest, object: KubeObject): string {
  return `${titleOf(object)} in cluster ${member.name}`;
}
