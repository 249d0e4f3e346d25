CREATE TABLE "user_project" (
	"user_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_project_user_id_project_id_pk" PRIMARY KEY("user_id","project_id")
);
--> statement-breakpoint
ALTER TABLE "credential" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "one_time_link" ADD COLUMN "membership_ended_at" timestamp (3) with time zone;--> statement-breakpoint
-- By hand: who is a member, or is filed under a project, is known there; 156 is User. Nobody else writes to the new table yet.
INSERT INTO "user_project" ("user_id", "project_id")
SELECT substr(k."user_ref", 6)::uuid, k."project_id" FROM "membership_key" k WHERE k."user_ref" ~ '^User/[0-9a-f-]{36}$'
UNION
SELECT u."id"::uuid, u."project_id" FROM "resource" u
WHERE u."type_id" = 156 AND u."project_id" <> '00000000-0000-0000-0000-000000000000' AND u."id" ~ '^[0-9a-f-]{36}$';--> statement-breakpoint
-- The few that have ended: of accounts that are nowhere any more, and of memberships that were removed.
UPDATE "credential" c SET "ended_at" = g."at"
FROM (SELECT u."id", max(u."last_updated") AS "at" FROM "resource" u WHERE u."type_id" = 156 GROUP BY u."id" HAVING bool_and(u."deleted")) g
WHERE g."id" = c."user_id"::text;--> statement-breakpoint
UPDATE "one_time_link" l SET "membership_ended_at" = now()
WHERE l."kind" = 'invite' AND NOT EXISTS (
  SELECT 1 FROM "membership_key" k WHERE k."project_id" = l."project_id" AND k."membership_id" = l."membership_id");
