// Runs in every document before its own scripts (--init-script).
window.early = document.readyState;
