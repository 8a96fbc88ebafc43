import { sql, type Kysely } from 'kysely';

export type Section = { name: string; version: number };
export type DeviceRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  hostname: string;
  client: string;
  client_type: string;
  plugin_version: string | null;
  auto_update: boolean | null;
  sections: Section[];
  first_seen_at: Date;
  last_seen_at: Date;
};
type Db = Kysely<{ client_devices: DeviceRow }>;

/** Stores a device, or updates when it was last seen. Returns its permanent id. */
export async function recordDevice(db: Db, device: DeviceRow): Promise<string> {
  const sections = sql<Section[]>`${JSON.stringify(device.sections)}::jsonb`;
  const { plugin_version, auto_update, last_seen_at } = device;
  const { id } = await db
    .insertInto('client_devices')
    .values({ ...device, sections })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'person_id', 'hostname', 'client', 'client_type'])
        .doUpdateSet({ sections, plugin_version, auto_update, last_seen_at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The devices of a person, last seen first. */
export async function listDeviceRows(db: Db, personId: string): Promise<DeviceRow[]> {
  return db
    .selectFrom('client_devices')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('last_seen_at', 'desc')
    .limit(200)
    .execute();
}
