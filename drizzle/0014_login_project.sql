-- A login goes with its project: what waits for its membership stands in the server's scope. Logins are swept, those of programs within
-- hours, so that their table is small enough to be keyed anew here.
ALTER TABLE "login" ADD COLUMN "limited_to" uuid;--> statement-breakpoint
-- By hand: beside the key of the release before, which finds a login by its id alone and has one that waits in no project, until
-- `end_of_roll_out()` (0015) makes this the key.
CREATE UNIQUE INDEX "login_project_id_id_pk" ON "login" USING btree ("project_id","id");--> statement-breakpoint
DROP INDEX "login_code";--> statement-breakpoint
CREATE UNIQUE INDEX "login_code" ON "login" USING btree ("project_id","code_hash") WHERE "login"."code_hash" is not null;--> statement-breakpoint
ALTER TABLE "login_cutoff" ADD COLUMN "project_id" uuid;--> statement-breakpoint
-- By hand: a program is of one project, and without logins it needs no mark.
UPDATE "login_cutoff" c SET "project_id" = l."project_id" FROM "login" l WHERE l."user_ref" = c."user_ref";--> statement-breakpoint
DELETE FROM "login_cutoff" WHERE "project_id" IS NULL;--> statement-breakpoint
-- contract: for the program before this, which names no project, the trigger below does.
ALTER TABLE "login_cutoff" ALTER COLUMN "project_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "login_cutoff" DROP CONSTRAINT "login_cutoff_pkey";--> statement-breakpoint
ALTER TABLE "login_cutoff" ADD CONSTRAINT "login_cutoff_project_id_user_ref_pk" PRIMARY KEY("project_id","user_ref");--> statement-breakpoint
-- By hand, until `end_of_roll_out()`: the release before looks for a program's mark by its reference.
CREATE UNIQUE INDEX "login_cutoff_before" ON "login_cutoff" ("user_ref");--> statement-breakpoint
CREATE FUNCTION "login_cutoff_before"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.project_id := coalesce(NEW.project_id, (SELECT l.project_id FROM login l WHERE l.user_ref = NEW.user_ref LIMIT 1));
  RETURN CASE WHEN NEW.project_id IS NULL THEN NULL ELSE NEW END;
END $$;--> statement-breakpoint
CREATE TRIGGER "login_cutoff_before" BEFORE INSERT ON "login_cutoff" FOR EACH ROW EXECUTE FUNCTION "login_cutoff_before"();
