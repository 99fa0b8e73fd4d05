// Whoever sets an appliance up mostly sits where it stands: their browser's time zone is proposed.
const zones = document.querySelector("select[data-zone=guess]");
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (zones && [...zones.options].some(({ value }) => value === timeZone)) zones.value = timeZone;
