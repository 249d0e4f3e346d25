CREATE TABLE "bot_hour" (
	"project_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"bot_id" uuid NOT NULL,
	"runs" integer NOT NULL,
	"failed" integer NOT NULL,
	"slots" smallint[] NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "bot_hour_project_id_hour_bot_id_pk" PRIMARY KEY("project_id","hour","bot_id")
);
--> statement-breakpoint
DROP INDEX "bot_run_time";--> statement-breakpoint
ALTER TABLE "binary_content" ADD COLUMN "source_hash" text;--> statement-breakpoint
ALTER TABLE "bot_version" ADD COLUMN "source_hash" text;--> statement-breakpoint
CREATE INDEX "bot_hour_age" ON "bot_hour" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "bot_run_status" ON "bot_run" USING btree ("project_id","bot_id","status","started_at" DESC NULLS LAST,"id");--> statement-breakpoint
-- By hand, as lib/domain/runs/hours.ts counts: what is shown of the last day. By bot, since no index has the runs of all by time.
INSERT INTO "bot_hour" ("project_id", "hour", "bot_id", "runs", "failed", "slots", "counts")
SELECT project_id, hour, bot_id, sum(n)::int, sum(failed)::int, array_agg(slot ORDER BY slot), array_agg(n ORDER BY slot) FROM (
  SELECT r.project_id, date_trunc('hour', r.started_at, 'UTC') AS hour, r.bot_id, round(ln(greatest(r.duration_ms, 0)::float8 + 1) / 0.09531017980432493)::smallint AS slot,
    count(*)::int AS n, (count(*) FILTER (WHERE r.status <> 'ok'))::int AS failed
  FROM "bot_deployment" d
  JOIN "bot_run" r ON r.project_id = d.project_id AND r.bot_id = d.bot_id AND r.started_at >= date_trunc('hour', now(), 'UTC') - interval '23 hours'
  GROUP BY 1, 2, 3, 4) AS s
GROUP BY 1, 2, 3;
--> statement-breakpoint
-- As lib/domain/bots/source-hash.ts does: of what runs, which lists compare with the draft.
UPDATE "bot_version" v SET "source_hash" = encode(sha256(convert_to(translate(encode(convert_to(v.source, 'UTF8'), 'base64'), E'\n', ''), 'UTF8')), 'hex')
FROM "bot_deployment" d WHERE d.project_id = v.project_id AND d.bot_id = v.bot_id AND d.number = v.number;
