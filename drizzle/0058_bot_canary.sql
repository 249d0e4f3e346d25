CREATE TABLE "bot_canary" (
	"project_id" uuid NOT NULL,
	"bot_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" integer NOT NULL,
	"share" smallint NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"author" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by" text,
	"figures" text,
	CONSTRAINT "bot_canary_project_id_bot_id_pk" PRIMARY KEY("project_id","bot_id")
);
