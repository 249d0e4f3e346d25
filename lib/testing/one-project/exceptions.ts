/** A statement that is of no one project, and why it may be. `of`: what its text has, in one line. */
export type Exception = { of: RegExp; why: string };

export const EXCEPTIONS: readonly Exception[] = [
  // Work of the background, which is there for all projects.
  {
    of: /^select project_id from "\w+" (where project_id > \$1::uuid )?order by project_id limit 1$/,
    why: 'a sweep looks which projects there are, one after the other',
  },
  {
    of: /^select distinct project_id as id from membership_key$/,
    why: 'the hourly look at how members stand begins with which projects there are',
  },
  {
    of: /^select project_id, id from mail where params_sealed is not null/,
    why: 'mails that were never sent, an hour later: a handful in all projects',
  },
  {
    of: /^select "async_job"\."project_id", "async_job"\."id", "async_job"\."alive_at"/,
    why: 'a process looks for jobs of processes that died',
  },
  {
    of: /^select "project_id", "id" from "bulk_job" where "bulk_job"\."finished_at" is null$/,
    why: 'a process looks for jobs of processes that died: a handful in all projects',
  },
  {
    of: /^select checked_at::text as checked_at, project_id, bot_id from bot_alert where checked_at < now\(\) - interval '1 minute' and \(checked_at, project_id, bot_id\) > /,
    why: 'a process looks for bots to look at: those of this minute in all projects',
  },
  {
    of: /^select project_id, bot_id, next_at::text as at from bot_schedule where next_at <= now\(\) and next_at >= \$2::timestamptz and \(next_at, bot_id\) > \(\$2::timestamptz, \$3::uuid\) order by next_at, bot_id limit \$1::int$/,
    why: 'a process looks for bots whose time has come: those of this moment in all projects',
  },
  {
    of: /^select project_id, type_id from resource where \(project_id, type_id\) > \(\$1::uuid, \$2::smallint\) order by project_id, type_id limit 1$/,
    why: 'indexing anew what the release before stored goes from project to project (reindex.ts)',
  },
  // One project, said in another way.
  {
    of: /\br\.project_id = any\(\$\d+::uuid\[\]\) and r\.type_id = \d+/,
    why: 'a selective search names its one project eight times, so that the planner does not read all of it (search-rows.ts)',
  },
  {
    of: /\br\.project_id = any\(\$\d+::uuid\[\]\) and r\.tokens && /,
    why: 'the same of several types at once (links/find-several.ts)',
  },
  {
    of: /\bw\.project_id = any\(\$\d+::uuid\[\]\) and w\.param = \$\d+/,
    why: 'the same of words, which are hashed with their project (words/compile-words.ts)',
  },
  // Where the caller names nothing else.
  {
    of: /"mail"\."provider_id" = /,
    why: 'who delivers mail tells of it by their own name for it',
  },
  {
    of: /^select k\.project_id, k\.user_ref, k\.limited from membership_key k where k\.membership_id = \$1$/,
    why: 'a webhook’s address is the id of a membership; what is found is cached',
  },
  {
    of: /^select "project_id" from "login" where "login"\."id" = \$1$/,
    why: 'tokens that were made before they named their project',
  },
  {
    of: /^select l\.id, l\.last_used_at, l\.auth_method, l\.auth_time, l\.remote_address, l\.user_agent, l\.device_id from login l where l\.project_id = any\(\$1::uuid\[\]\)/,
    why: 'a person’s own sessions, in all their projects',
  },
  {
    of: /^select k\.membership_id::text as id, k\.user_ref from membership_key k where \(k\.membership_id = any\(\$1::uuid\[\]\) or k\.user_ref = any/,
    why: 'what is imported must be nobody’s here yet: members and programs are also looked for by their ids alone',
  },
  // To be rewritten.
  {
    of: /^select distinct project_id from membership_key where user_ref = \$1 limit 1000$/,
    why: 'until no version serves any more that does not note who is where: somebody of whom nothing is noted is looked for everywhere',
  },
  {
    of: /^(select|update) .*"login"."id" = \$\d and "login"."membership_id" is null and "login"."project_id" is distinct from/,
    why: 'until no version serves any more that begins sign-ins in no project',
  },
  {
    of: /from "login" where "login"\."code_hash" = \$1$/,
    why: 'until no version serves any more whose codes name no project',
  },
];
