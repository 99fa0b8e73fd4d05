// Files of another system: how much of them has arrived, while they are sent. Without this the form is sent as it is.

const form = document.querySelector("form[data-upload]");

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const bar = form.querySelector("progress");
  const button = form.querySelector("button");
  const request = new XMLHttpRequest();
  const end = () => {
    bar.hidden = true;
    button.disabled = false;
  };
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = total === 0 ? 100 : Math.floor((loaded / total) * 100);
  });
  request.addEventListener("load", () => {
    if (request.status < 300) return location.assign(request.responseURL);
    end();
    const answer = new DOMParser().parseFromString(request.responseText, "text/html");
    say(answer.getElementById("files-help")?.textContent ?? form.dataset.upload);
  });
  request.addEventListener("error", () => {
    end();
    say(form.dataset.upload);
  });
  request.open("POST", form.action);
  bar.hidden = false;
  button.disabled = true;
  request.send(new FormData(form));
});

function say(text) {
  const help = document.getElementById("files-help");
  help.textContent = text;
  help.className = "fault";
  help.setAttribute("role", "alert");
  help.parentElement.classList.add("wrong");
  document.getElementById("files").focus();
}
