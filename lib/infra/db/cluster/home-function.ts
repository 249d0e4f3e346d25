/**
 * Does a statement on the node that has the project, on its very shards: as PostgreSQL would do it without a cluster, and prepared for each
 * shard once a connection. Citus gives the call to that node, also in a transaction, and sees to its commit. The lock is the one that a shard
 * is moved or split under; whoever had to wait for that finds the project elsewhere, and is told in the words of Citus, as `isSplitMeanwhile`
 * and all that tries again know them. On the coordinator it does the statement as it is, when Citus keeps the call to itself: it counts how
 * deep it plans, and counts no failure back, until the connection ends. `answers`: whether it gives a row, which comes as JSON. `locks`: not
 * where the transaction holds that lock at the coordinator (node-locks.ts).
 */
export const HOME_FUNCTION = `
declare
  here int := (select groupid from pg_dist_local_group);
  shard bigint := get_shard_id_for_distribution_column('resource', project);
  own text;
  name text;
  found record;
begin
  if locks then
    perform lock_shard_metadata(5, array[shard]);
  end if;
  if not exists (select from pg_dist_placement where shardid = shard and groupid = here) then
    if here <> 0 then
      raise 'shard for the given value does not exist' using errcode = 'serialization_failure';
    end if;
    shard := 0;
  end if;
  own := 'home_' || shard || '_' || md5(statement);
  if current_setting('gatehouse.' || own, true) is null then
    for name in select logicalrelid from pg_dist_partition where partmethod = 'h' and shard <> 0 loop
      statement := regexp_replace(statement, '\\m' || name || '\\M', shard_name(name::regclass, get_shard_id_for_distribution_column(name, project)), 'g');
    end loop;
    begin
      execute 'prepare ' || own || ' as ' || statement;
    exception when duplicate_prepared_statement then null; -- in a transaction that was rolled back, with its note
    end;
    perform set_config('gatehouse.' || own, 'prepared', false);
  end if;
  statement := 'execute ' || own || '(' || (select string_agg(quote_nullable(value), ', ' order by n) from unnest(params) with ordinality as p(value, n)) || ')';
  if not answers then
    execute statement;
    return null;
  end if;
  execute statement into found;
  return case when found is null then null else to_jsonb(found) end;
end`;
