ALTER TABLE `access_state` ADD `books_key` text;--> statement-breakpoint
ALTER TABLE `access_state` ADD `proof` blob;
