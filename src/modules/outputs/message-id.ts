/** The receiver's id of a delivery, the same at every attempt and replay. */
export function buildMessageId(deliveryId: string): string {
  return `msg_${deliveryId}`;
}
