CREATE TABLE "bot_running" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"bot_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"trigger" text NOT NULL,
	"requester" text NOT NULL,
	"request_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ends_by" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bot_running_project_id_id_pk" PRIMARY KEY("project_id","id")
);
