// Says why a passkey was not made or used, and hides what a browser without passkeys cannot do.
(() => {
  const port = location.port ? `:${location.port}` : "";
  const WORDS = {
    NotAllowedError: "No passkey was used. Try again, or sign in another way.",
    InvalidStateError: "This device has a passkey of yours already.",
    SecurityError: `Passkeys need a name: open http://localhost${port} or your https address.`,
  };
  const OTHERWISE = "That did not work. Try again, or sign in another way.";

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault(); // it would only write to the console
    const place = document.getElementById("passkey-problem");
    place.textContent = WORDS[event.detail.exception?.name] ?? OTHERWISE;
    place.hidden = false;
  });

  if (!window.PublicKeyCredential) {
    for (const button of document.querySelectorAll("[data-passkey]")) button.hidden = true;
  }
})();
