-- A login goes with its project: what waits for its membership stands in the server's scope. Logins are swept, those of programs within
-- hours, so that their table is small enough to be keyed anew here.
ALTER TABLE "login" ADD COLUMN "limited_to" uuid;--> statement-breakpoint
-- By hand: of what a sign-in has asked for and not chosen.
UPDATE "login" SET "limited_to" = "project_id", "project_id" = '00000000-0000-0000-0000-000000000000' WHERE "membership_id" IS NULL;--> statement-breakpoint
-- contract: the program before this names a project for every session, and what it leaves out gets the server's scope; only a choice between
-- memberships that it has begun is to be begun again. Nothing was released before.
ALTER TABLE "login" ALTER COLUMN "project_id" SET DEFAULT '00000000-0000-0000-0000-000000000000', ALTER COLUMN "project_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "login" DROP CONSTRAINT "login_pkey";--> statement-breakpoint
ALTER TABLE "login" ADD CONSTRAINT "login_project_id_id_pk" PRIMARY KEY("project_id","id");--> statement-breakpoint
DROP INDEX "login_code";--> statement-breakpoint
CREATE UNIQUE INDEX "login_code" ON "login" USING btree ("project_id","code_hash") WHERE "login"."code_hash" is not null;--> statement-breakpoint
ALTER TABLE "login_cutoff" ADD COLUMN "project_id" uuid;--> statement-breakpoint
-- By hand: a program is of one project, and without logins it needs no mark.
UPDATE "login_cutoff" c SET "project_id" = l."project_id" FROM "login" l WHERE l."user_ref" = c."user_ref";--> statement-breakpoint
DELETE FROM "login_cutoff" WHERE "project_id" IS NULL;--> statement-breakpoint
-- contract: the program before this can no longer mark a program whose tokens end (switched off, a new secret), and answers 500 until it is
-- replaced. Nothing was released before.
ALTER TABLE "login_cutoff" ALTER COLUMN "project_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "login_cutoff" DROP CONSTRAINT "login_cutoff_pkey";--> statement-breakpoint
ALTER TABLE "login_cutoff" ADD CONSTRAINT "login_cutoff_project_id_user_ref_pk" PRIMARY KEY("project_id","user_ref");
