import { BrandMark } from "../../pages/brand.tsx";
import { Icon } from "../../pages/icons.tsx";
import { Document, type View } from "../layout.tsx";

/** The page that the portal's worker shows, which knows when there was a page last. */
export function OfflinePage({ view }: { view: View }) {
  const { app: words, captive } = view.words;
  return (
    <Document view={view} title={words.offline} kind="single">
      <main class="single-card">
        <BrandMark brand={view.brand} />
        <div class="badge bad">
          <Icon name="alert" />
        </div>
        <h1>{words.offline}</h1>
        <p class="lead">{words.offlineHint}</p>
        <div id="last" hidden class="stack">
          <p>
            {words.lastSeen}: <time></time>
          </p>
          <a class="button wide" href="/portal">
            {words.lastPage}
          </a>
        </div>
        <a class="button wide" href="">
          {captive.try}
        </a>
      </main>
    </Document>
  );
}
