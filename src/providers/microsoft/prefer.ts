/** Ids that do not change when a mail is moved, and texts without markup. */
export const prefer = 'IdType="ImmutableId", outlook.body-content-type="text"';

/** The same preferences, for a list of changes. */
export const preferDelta = `${prefer}, odata.maxpagesize=50`;
