DROP INDEX `subscribers_nic_number`;--> statement-breakpoint
DROP INDEX `subscribers_mobile_number`;--> statement-breakpoint
DROP INDEX `subscribers_phone_number`;--> statement-breakpoint
DROP INDEX `subscribers_email`;--> statement-breakpoint
CREATE INDEX `subscribers_framed_ipv6_prefix` ON `subscribers` (`framed_ipv6_prefix`);--> statement-breakpoint
CREATE INDEX `subscribers_delegated_ipv6_prefix` ON `subscribers` (`delegated_ipv6_prefix`);--> statement-breakpoint
CREATE INDEX `subscribers_nic_number` ON `subscribers` (`nic_number`);--> statement-breakpoint
CREATE INDEX `subscribers_mobile_number` ON `subscribers` (`mobile_number`);--> statement-breakpoint
CREATE INDEX `subscribers_phone_number` ON `subscribers` (`phone_number`);--> statement-breakpoint
CREATE INDEX `subscribers_email` ON `subscribers` (`email_key`);
