DROP INDEX `sessions_open_card`;--> statement-breakpoint
DROP INDEX `sessions_open_subscriber`;--> statement-breakpoint
CREATE INDEX `sessions_open_card` ON `sessions` (`card_id`,`nas_address`,`mac`) WHERE stopped_at IS NULL AND card_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_subscriber` ON `sessions` (`subscriber_id`,`nas_address`,`mac`) WHERE stopped_at IS NULL;
