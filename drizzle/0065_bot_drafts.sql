CREATE TABLE "bot_draft" (
	"project_id" uuid NOT NULL,
	"bot_id" uuid NOT NULL,
	"files_hash" text NOT NULL,
	"files" text NOT NULL,
	CONSTRAINT "bot_draft_project_id_bot_id_pk" PRIMARY KEY("project_id","bot_id")
);
--> statement-breakpoint
ALTER TABLE "bot_version" ADD COLUMN "files_hash" text;