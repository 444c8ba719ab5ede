/** Tarjan's strongly connected components of more than one member, each sorted. */
export function findCircles(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lower(node, lowest.get(next) ?? 0);
    }
    if (lowest.get(node) !== order.get(node)) return;
    const members = stack.splice(stack.indexOf(node));
    if (members.length > 1) circles.push(members.sort());
  }

  function lower(node: string, to: number): void {
    lowest.set(node, Math.min(lowest.get(node) ?? to, to));
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
