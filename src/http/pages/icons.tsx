const paths = {
  home: "M3 11.5 12 4l9 7.5M5.5 9.8V20h13V9.8M10 20v-5.5h4V20",
  sessions: "M4 12h3.5l2.5-7 4 14 2.5-7H20",
  invoices: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  settings: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5",
  leave: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
  print: "M7 9V3h10v6M7 17H4v-7h16v7h-3M7 14h10v7H7z",
  check: "M5 12.5 10 17.5 19.5 7",
  alert: "M12 4 2.5 20h19zM12 10v4.5M12 17.2v.1",
  back: "M14.5 5 8 12l6.5 7",
  forward: "M9.5 5 16 12l-6.5 7",
  call: "M5 4h4l1.6 4.6-2.3 1.7a12 12 0 0 0 5.4 5.4l1.7-2.3L20 15v4a1.6 1.6 0 0 1-1.7 1.6C10.6 20 4 13.4 3.4 5.7A1.6 1.6 0 0 1 5 4",
  chat: "M4 5h16v11h-8.5L7 20v-4H4zM8.5 9.5h7M8.5 12.5h4.5",
  card: "M3 6h18v12H3zM3 10h18M6.5 14.5H11",
  renew: "M19.5 8.5A8 8 0 1 0 20 14M20 4v5h-5",
  wifi: "M3 9.5a13 13 0 0 1 18 0M6.3 13a8.3 8.3 0 0 1 11.4 0M9.5 16.4a3.7 3.7 0 0 1 5 0M12 19.6v.1",
};

export type IconName = keyof typeof paths;

/** A line drawing beside the word that says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
