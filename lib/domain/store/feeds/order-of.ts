/** Deliveries with the same come one after the other: of one resource to one subscription. */
export function orderOf(of: { subscriptionId: string; type: string; id: string }): string {
  return `${of.subscriptionId} ${of.type}/${of.id}`;
}
