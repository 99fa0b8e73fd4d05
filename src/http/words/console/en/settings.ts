export const settings = {
  /** The pages below Settings, by their tabs. */
  tabs: {
    settings: "Settings",
    branding: "Branding",
    places: "Places",
    staff: "Staff",
    roles: "Roles",
    import: "Import",
    backups: "Backups",
    appliance: "Appliance",
  },
};
