import postgres from 'postgres';
import { ownerDatabaseUrl } from './server-database.ts';

/** Changes the server's own database behind its back, as a migration that goes wrong does. */
async function inDatabase(run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(ownerDatabaseUrl(), { max: 1 });
  try {
    await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

type Lost = {
  project: string;
  /** "Practitioner/id". */
  profile: string;
  /** No earlier version is left either. */
  history?: boolean;
};

/** A migration that drops a record that is in use: no rule of the API stands in its way. */
export async function loseProfile({ project, profile, history = false }: Lost): Promise<void> {
  const [, id = ''] = profile.split('/');
  await inDatabase(async (sql) => {
    const gone = await sql`delete from resource where project_id = ${project} and id = ${id} returning id`;
    if (gone.length !== 1) throw new Error(`No ${profile} to lose`);
    if (history) await sql`delete from resource_history where project_id = ${project} and id = ${id}`;
  });
}

/** The same of a policy that members have. */
export async function losePolicy(project: string, reference: string): Promise<void> {
  await loseProfile({ project, profile: reference });
}

/** Everybody in the project has signed in a while ago. */
export async function ageSignIns(project: string): Promise<void> {
  await inDatabase(
    (sql) => sql`update login set auth_time = auth_time - interval '11 minutes' where project_id = ${project}`,
  );
}

/** What waits for this new address has waited long enough. */
export async function endWaits(email: string): Promise<void> {
  await inDatabase((sql) => sql`update account_change set due_at = now() where detail->>'email' = ${email}`);
}

/** The account with this address, whose end waits, has waited long enough. */
export async function endErasure(email: string): Promise<void> {
  await inDatabase(
    (sql) => sql`update account_change set due_at = now() where kind = 'erase'
      and user_id in (select user_id from user_login where email_lower = ${email})`,
  );
}

/** The project's job was stopped this moment while a process was at one of its rows; `end` does what that process does last. */
export async function stopAmidRow(project: string): Promise<{ end(): Promise<void> }> {
  await inDatabase(async (sql) => {
    await sql`update bulk_job set state = 'cancelled', finished_at = now() where project_id = ${project}`;
    const rows =
      await sql`update bulk_job_row set state = 'waiting' where project_id = ${project} and number = 0 returning 1`;
    if (rows.length !== 1) throw new Error('No row to be at');
  });
  const end = () =>
    inDatabase((sql) => sql`update bulk_job_row set state = 'done' where project_id = ${project} and number = 0`);
  return { end };
}
