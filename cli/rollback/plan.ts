// What will become of some templates and their copies, and which of them are better left alone?
import type { Cascade } from "../../crds/cascade-deletion-spec.js";
import type { KubeObject } from "../../crds/object.js";
import { cascadeFor, cascadeOfWork, writtenOrder } from "../../lib/domain/work-word.js";
import type { Fleet } from "../access/fleet.js";
import type { PlacedWork } from "../view/chain.js";
import { readEarlier, type Earliers } from "./before.js";
import { foresee, type Foreseen } from "./foresee.js";
import { occupantsOf } from "./occupants.js";
import { planLeaving, type Leaving } from "./leave.js";
import { final, refusalOf } from "./refuse.js";
import { type Reference, type RollbackOptions, type TemplateName } from "./request.js";
import { lookIntoMembers, type Sights, type Whereabouts } from "./sight.js";
import { readStandings, type Standing } from "./standing.js";
import { titleOf } from "../../lib/domain/title.js";

/** Why an object is left alone, and whether `force` goes on all the same. */
export interface Refusal {
  readonly why: string;
  readonly isForceable: boolean;
}

/** One template, and its copies in the members that are meant. */
export interface PlannedRollback {
  readonly standing: Standing;
  /** `gone`: it has left, so there is nothing to do but to look. `leaving`: it is deleted, and its order is given. */
  readonly state: "live" | "leaving" | "gone";
  readonly copies: readonly Foreseen[];
  /** The edit of its policy, when only some members are meant. */
  readonly leaving?: Leaving;
  readonly refusal?: Refusal;
}

type Options = Pick<RollbackOptions, "restore" | "clusters">;

/** Looks at everything; writes nothing. @throws KubeError when the host does not answer */
export async function planRollback(
  fleet: Fleet,
  names: readonly TemplateName[],
  options: Options,
): Promise<readonly PlannedRollback[]> {
  const { client } = fleet.host;
  const clusters = fleet.all.map(({ metadata }) => metadata.name);
  const standings = await readStandings(client, names, clusters);
  const states = standings.map(standing => ({ standing, state: stateOf(standing, options) }));
  const wanted = states.map(one => ({ ...one, places: placesOf(one, options, clusters) }));
  const works = wanted.flatMap(({ places }) => places.flatMap(({ work }) => (work ? [work] : [])));
  const isRestoring = options.restore || works.some(({ work }) => wordOf(work) === "restore");
  const [sights, earlier, leavings, occupants] = await Promise.all([
    lookIntoMembers(fleet, wanted.flatMap(whereabouts)),
    isRestoring ? readEarlier(client, works) : new Map<string, never>(),
    options.clusters ? planLeaving(fleet, standings, options.clusters) : new Map<Standing, never>(),
    // With --clusters the template stays, and so does what is in it.
    options.clusters ? new Map<Standing, never>() : occupantsOf(fleet, standings),
  ]);
  return wanted.map(one => {
    const copies = copiesOf(one, options, { sights, earlier });
    const leaving = leavings.get(one.standing);
    const planned = {
      standing: one.standing,
      state: one.state,
      copies,
      ...(leaving?.edit && { leaving: leaving.edit }),
    };
    const why = occupants.get(one.standing) ?? leaving?.why;
    const refusal = why !== undefined && one.state === "live" ? final(why) : refusalOf(planned, options);
    return { ...planned, ...(refusal && { refusal }) };
  });
}

interface Place {
  readonly cluster: string;
  readonly work?: PlacedWork;
}

interface Wanted {
  readonly standing: Standing;
  readonly state: PlannedRollback["state"];
  readonly places: readonly Place[];
}

function stateOf({ template, binding, works }: Standing, { clusters }: Options): PlannedRollback["state"] {
  if (!template) return works.length > 0 || binding ? "leaving" : "gone";
  if (template.metadata.deletionTimestamp) return "leaving";
  if (!clusters) return "live";
  const here = [...works.map(({ cluster }) => cluster), ...(binding?.spec.clusters ?? []).map(({ name }) => name)];
  return clusters.some(cluster => here.includes(cluster)) ? "live" : "gone";
}

/** Where to look: where there is a Work and, of a template that has left, in every member that is meant. */
function placesOf(
  { standing, state }: Omit<Wanted, "places">,
  { clusters: meant }: Options,
  all: readonly string[],
): readonly Place[] {
  const works = standing.works.filter(({ cluster }) => !meant || meant.includes(cluster));
  const others = (state === "live" && !meant ? [] : (meant ?? all)).filter(
    name => !works.some(({ cluster }) => cluster === name),
  );
  return [...works.map(work => ({ cluster: work.cluster, work })), ...others.map(cluster => ({ cluster }))];
}

function whereabouts({ places, standing }: Wanted): readonly Whereabouts[] {
  return places.map(({ cluster, work }) => ({ cluster, reference: referenceIn(standing, work) }));
}

/** The object as its Work names it: an override never changes that, but its version is the template's. */
function referenceIn({ reference, template }: Standing, work: PlacedWork | undefined): Reference {
  const { apiVersion, kind } = work?.work.spec.workload?.manifests?.[0] ?? template ?? reference;
  return { apiVersion, kind, metadata: reference.metadata };
}

interface Known {
  readonly sights: Sights;
  readonly earlier: Earliers;
}

function copiesOf({ standing, state, places }: Wanted, options: Options, known: Known): readonly Foreseen[] {
  return places
    .map(({ cluster, work }) =>
      foresee({
        cluster,
        reference: referenceIn(standing, work),
        work: work?.work,
        visit: known.sights.get(cluster),
        word: state === "live" || !work ? (options.restore ? "restore" : "orphan") : wordOf(work.work),
        earlier: uid => known.earlier.get(`${cluster}/${uid}`),
      }),
    )
    .filter(({ work, fate }) => work !== undefined || fate === "keep" || fate === "unknown");
}

/** What a Work will do: its order, or what it says itself. */
function wordOf(work: PlacedWork["work"]): Cascade {
  const order = writtenOrder(work);
  return order ? cascadeFor(order) : cascadeOfWork(work);
}

/** Whether anything of it is to be written, or waited for. */
export function isAllowed({ refusal }: PlannedRollback, force: boolean): boolean {
  return !refusal || (refusal.isForceable && force);
}

/** A template's kind, namespace and name. */
export const nameOf = ({ standing }: PlannedRollback): string => titleOf(standing.reference);

/** The template that is there and not deleted yet. */
export function templateOf({ state, standing }: PlannedRollback): KubeObject | undefined {
  return state === "live" ? standing.template : undefined;
}
