// How is the same done for many objects without all requests waiting for one another?

/** Objects that are looked at at the same time: more would only wait for a connection, and waiting counts as silence. */
const AT_ONCE = 8;

/** `work` on every item, a few at the same time; the answers are in the order of the items. @throws what `work` throws */
export async function mapLimited<In, Out>(
  items: readonly In[],
  work: (item: In) => Promise<Out>,
  atOnce: number = AT_ONCE,
): Promise<Out[]> {
  const answers: Out[] = [];
  const queue = items.entries();
  async function runner(): Promise<void> {
    for (const [index, item] of queue) answers[index] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runner));
  return answers;
}
