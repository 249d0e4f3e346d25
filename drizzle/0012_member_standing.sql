CREATE TABLE "member_count" (
	"project_id" uuid NOT NULL,
	"profile_type" text NOT NULL,
	"active" boolean NOT NULL,
	"admin" boolean NOT NULL,
	"invite_status" text NOT NULL,
	"limited" boolean NOT NULL,
	"slot" smallint NOT NULL,
	"n" integer NOT NULL,
	CONSTRAINT "member_count_pk" PRIMARY KEY("project_id","profile_type","active","admin","invite_status","limited","slot")
);
--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "limited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "invite_status" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "invited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "invite_ends" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "shares_profile" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "profile_gone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- By hand: what stands is written down before the indexes are made. Programs have no invitation; 155 is ProjectMembership, 156 User.
UPDATE "membership_key" k SET "name" = coalesce(m."content"->'profile'->>'display', m."content"->'user'->>'display'),
  "limited" = m."content" ? 'accessPolicy' OR jsonb_array_length(coalesce(m."content"->'access', '[]')) > 0
FROM "resource" m
WHERE m."project_id" = k."project_id" AND m."type_id" = 155 AND m."id" = k."membership_id"::text AND NOT m."deleted";--> statement-breakpoint
UPDATE "membership_key" k SET "invite_status" = s."status", "invited_at" = s."invited_at", "invite_ends" = s."ends"
FROM (
  SELECT i.*, CASE WHEN i."status" IN ('pending', 'failed') THEN i."expires_at" END AS "ends" FROM (
    SELECT k."project_id", k."membership_id", coalesce(l."first_at", d."first_at") AS "invited_at", l."expires_at",
      CASE
        WHEN NOT k."active" AND l."used_at" IS NULL AND (l."revoked_at" IS NOT NULL OR c."user_id" IS NULL) THEN 'revoked'
        WHEN l."used_at" IS NOT NULL OR c."user_id" IS NOT NULL THEN 'accepted'
        WHEN l."id" IS NULL OR l."superseded_at" IS NOT NULL OR l."expires_at" <= now() THEN 'expired'
        WHEN l."handed_at" IS NULL AND d."state" IN ('failed', 'bounced', 'complained') THEN 'failed'
        ELSE 'pending'
      END AS "status"
    FROM "membership_key" k
    LEFT JOIN (
      SELECT DISTINCT ON (l."project_id", l."membership_id") l.*, min(l."created_at") OVER (PARTITION BY l."project_id", l."membership_id") AS "first_at"
      FROM "one_time_link" l WHERE l."kind" = 'invite'
      ORDER BY l."project_id", l."membership_id", l."created_at" DESC, l."id") l ON l."project_id" = k."project_id" AND l."membership_id" = k."membership_id"
    LEFT JOIN (
      SELECT DISTINCT ON (d."project_id", d."membership_id") d.*, min(d."created_at") OVER (PARTITION BY d."project_id", d."membership_id") AS "first_at"
      FROM "mail" d WHERE d."template" IN ('invite', 'added')
      ORDER BY d."project_id", d."membership_id", d."created_at" DESC, d."id") d ON d."project_id" = k."project_id" AND d."membership_id" = k."membership_id"
    LEFT JOIN "credential" c ON k."user_ref" LIKE 'User/%' AND c."user_id"::text = substr(k."user_ref", 6)
      AND (NOT k."awaits_proof" OR EXISTS (SELECT 1 FROM "resource" u WHERE u."type_id" = 156 AND u."id" = substr(k."user_ref", 6)
        AND u."project_id" IN ('00000000-0000-0000-0000-000000000000', k."project_id") AND NOT u."deleted" AND u."content"->>'emailVerified' = 'true'))
    WHERE k."user_ref" LIKE 'User/%' AND (l."id" IS NOT NULL OR d."id" IS NOT NULL)) i) s
WHERE k."project_id" = s."project_id" AND k."membership_id" = s."membership_id";--> statement-breakpoint
UPDATE "membership_key" k SET "shares_profile" = true
FROM (SELECT "project_id", "profile_ref" FROM "membership_key" WHERE "active" GROUP BY 1, 2 HAVING count(*) > 1) s
WHERE k."project_id" = s."project_id" AND k."profile_ref" = s."profile_ref" AND k."active";--> statement-breakpoint
INSERT INTO "member_count" ("project_id", "profile_type", "active", "admin", "invite_status", "limited", "slot", "n")
SELECT "project_id", split_part("profile_ref", '/', 1), "active", "admin", "invite_status", "limited", 0, count(*) FROM "membership_key" GROUP BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
CREATE INDEX "membership_key_invited" ON "membership_key" USING btree ("project_id","invited_at" DESC NULLS LAST,"membership_id") WHERE "membership_key"."invited_at" is not null;--> statement-breakpoint
CREATE INDEX "membership_key_invite_status" ON "membership_key" USING btree ("project_id","invite_status","invited_at" DESC NULLS LAST,"membership_id") WHERE "membership_key"."invited_at" is not null;--> statement-breakpoint
CREATE INDEX "membership_key_invite_ends" ON "membership_key" USING btree ("project_id","invite_ends") WHERE "membership_key"."invite_ends" is not null;--> statement-breakpoint
CREATE INDEX "membership_key_unlimited" ON "membership_key" USING btree ("project_id","membership_id") WHERE "membership_key"."active" and not "membership_key"."limited" and not "membership_key"."admin";--> statement-breakpoint
CREATE INDEX "membership_key_shared" ON "membership_key" USING btree ("project_id","profile_ref","membership_id") WHERE "membership_key"."active" and "membership_key"."shares_profile";--> statement-breakpoint
CREATE INDEX "membership_key_gone" ON "membership_key" USING btree ("project_id","membership_id") WHERE "membership_key"."profile_gone";