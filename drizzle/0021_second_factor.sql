CREATE TABLE "factor" (
	"user_id" uuid NOT NULL,
	"method" text NOT NULL,
	"secret_sealed" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"enrolled_at" timestamp (3) with time zone,
	"last_step" integer,
	CONSTRAINT "factor_user_id_method_pk" PRIMARY KEY("user_id","method")
);
--> statement-breakpoint
CREATE TABLE "factor_code" (
	"user_id" uuid NOT NULL,
	"login_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "factor_code_user_id_login_id_pk" PRIMARY KEY("user_id","login_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_code" (
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "recovery_code_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
ALTER TABLE "login" ADD COLUMN "factor_at" timestamp (3) with time zone;