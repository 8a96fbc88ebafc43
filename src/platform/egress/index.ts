export { type Egress, type EgressOptions, type EgressRequest, type EgressStream, createEgress } from './egress.ts';
export { type Handle } from './handles.ts';
export { handlesIn } from './fill-places.ts';
export { defaultPlacements, isHostRule, isPlacement, placementKinds } from './placement.ts';
export { type Resolver } from './resolve-names.ts';
export { type Delivery, type Diagnostics, EgressError, type ErrorCategory } from './egress-error.ts';
export { diagnose } from './diagnose.ts';
export { redactSecrets } from './redact.ts';
export { type EgressResponse, bodyJson, bodyText } from './response.ts';
