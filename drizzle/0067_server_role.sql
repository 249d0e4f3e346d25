-- What the server does although its role does not own the tables (lib/infra/db/server-role/). Each runs as the owner: a fixed search_path, and a
-- bound of its own, whatever it is called with.
-- The bound: the fewest days that RETAIN_AUDIT_DAYS can be (lib/base/env.ts), less one, since two machines have two clocks.
CREATE FUNCTION "sweep_audit_event"("of_project" uuid, "these" uuid[], "last_place" bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  "young" timestamptz := clock_timestamp() - interval '2191 days';
  "gone" integer;
BEGIN
  DELETE FROM public.audit_event e WHERE e.project_id = of_project AND e.id = ANY (these) AND e.at < young;
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM public.audit_seal s WHERE s.project_id = of_project AND s.last <= last_place AND s.newest < young;
  RETURN gone;
END $$;--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION "sweep_audit_event"(uuid, uuid[], bigint) FROM PUBLIC;--> statement-breakpoint
-- Only who owns a table may have it counted (before PostgreSQL 17 there is nothing to grant for it).
CREATE FUNCTION "refresh_statistics"() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  ANALYZE public.membership_key, public.user_login, public.user_project, public.one_time_link, public.mail, public.credential, public.bulk_job_row,
    public.resource_project_membership, public.resource_patient, public.resource_other, public.ix_string;
END $$;--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION "refresh_statistics"() FROM PUBLIC;
--> statement-breakpoint
-- Of tables whose rows the server's role sees of one project at a time (row-level security): which projects have any, for what goes through all of them.
CREATE FUNCTION "next_project_in"("guarded" text, "after" uuid) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  "found" uuid;
BEGIN
  IF guarded NOT IN ('bot_secret', 'project_secret', 'provider_secret') THEN
    RAISE EXCEPTION 'no such table' USING ERRCODE = 'insufficient_privilege';
  END IF;
  EXECUTE format('SELECT s.project_id FROM public.%I s WHERE $1 IS NULL OR s.project_id > $1 ORDER BY s.project_id LIMIT 1', guarded) INTO found USING after;
  RETURN found;
END $$;--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION "next_project_in"(text, uuid) FROM PUBLIC;
