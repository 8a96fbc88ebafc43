/** The id that a receiver knows a delivery by, the same at every attempt and replay. */
export function messageIdOf(deliveryId: string): string {
  return `msg_${deliveryId}`;
}
