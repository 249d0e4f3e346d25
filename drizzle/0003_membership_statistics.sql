-- Every search reads the list of most common elements when it is planned. 10,000 of them (statistics target 1000) cost a third of a
-- member search; a membership has few tokens that are common, and 1,000 hold them. Measured by `npm run bench`.
ALTER TABLE "resource_project_membership" ALTER COLUMN "tokens" SET STATISTICS 100;
